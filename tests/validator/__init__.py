"""A second reading of the providers' published rules, and a judge that re-decodes what is sent.

Nothing here imports the package's own limits or its fitting: two readings of one document meet in the tests.
"""
