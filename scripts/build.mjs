// stand-in until there is something to bundle
