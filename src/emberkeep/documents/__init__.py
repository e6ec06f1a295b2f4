"""What is written down: files become text, and text becomes chunks that are found one by one."""
