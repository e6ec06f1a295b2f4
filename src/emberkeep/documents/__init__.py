"""Documents: files become text, and text becomes chunks that are found one by one."""
