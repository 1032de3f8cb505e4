"""Reading what an agent said: sentences, guards, kinds of claims, and what each is held against."""
