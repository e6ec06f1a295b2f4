"""Who is told of changes: subscribers in this process, streams in Redis or Valkey, webhooks."""
