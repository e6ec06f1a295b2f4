"""Access control: API keys, what a key's holder may do, rate limits, idempotent requests, and the audit log."""
