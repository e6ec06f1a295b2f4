"""The interfaces of other memory systems, each a thin layer over `emberkeep.Memory`, for code written against them."""
