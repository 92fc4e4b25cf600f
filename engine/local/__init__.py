"""The engine that runs on this machine: the only room that knows torch and transformers."""
