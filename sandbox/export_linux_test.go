package sandbox

var IsFull = isFull
