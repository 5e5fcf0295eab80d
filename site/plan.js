document.querySelector("main").dataset.ready="no";
