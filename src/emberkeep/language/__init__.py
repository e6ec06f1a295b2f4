"""How people speak of time: dates and periods in English, by forms, without a model."""
