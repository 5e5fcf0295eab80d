"""The reference's tests in Pyodide, under node."""
