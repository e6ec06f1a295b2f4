"""Models behind any server that speaks OpenAI's API: hosted ones, vLLM, Ollama, llama.cpp."""

from emberkeep.providers.openai_chat import OpenAIChat
from emberkeep.providers.openai_embedder import OpenAIEmbedder

__all__ = ["OpenAIChat", "OpenAIEmbedder"]
