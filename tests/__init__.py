"""The tests, one file a module, and the tests of the code itself: layers, budgets, names, docs."""
