"""The page of names, made from the docstrings and the JSDoc: read by griffe and TypeDoc, paired, checked, written."""
