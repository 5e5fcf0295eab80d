"""Python against JavaScript: the same jobs given to both, every number compared as bits."""
