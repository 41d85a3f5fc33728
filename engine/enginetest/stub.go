package enginetest

var families, effects, budgets, replays []test
