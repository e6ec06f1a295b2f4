"""What is done to a store, one file for each sort of trouble."""
