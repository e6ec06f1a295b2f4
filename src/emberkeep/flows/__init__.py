"""What runs through several stages: searching, assembling, keeping, the backlog, tiers, rebuilding, repairing."""
