"""What models cost: prices, and a meter that keeps to the caps."""
