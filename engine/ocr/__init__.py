"""The wing of RapidOCR: finds and spells the printed lines of a picture, without a network."""
