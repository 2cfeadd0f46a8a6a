"""Parts and limits become parts that a provider takes, and a record of what was done."""
