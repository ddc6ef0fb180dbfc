"""The two audits: were the cards fair, was the play fair."""
