"""Delivery of events: to subscribers in this process, to streams in Redis or Valkey, and to webhooks."""
