"""Programs that prove what no test of a few seconds can: many people, faults, power cuts."""
