"""The games. One module or folder per family; each registers itself and is found by being here."""
