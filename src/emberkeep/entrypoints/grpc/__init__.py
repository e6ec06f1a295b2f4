"""The gRPC service: a service per namespace and an rpc per verb, made from the same table as the HTTP routes."""
