"""Programs that misbehave: most answer every case well but the one whose text is `bad`."""
