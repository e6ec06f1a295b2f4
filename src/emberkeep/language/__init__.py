"""English, and text in general, without a model: dates and periods, names, index terms, instructions to models."""
