package sandbox

var (
	IsFull      = isFull
	Descendants = descendants
)
