import poolroom

w = poolroom.widget(share=48, cap=32)
w
