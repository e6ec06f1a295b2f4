"""What is relevant: candidates from several channels, fused into one ranking."""
