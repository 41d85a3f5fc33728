package pick

// Match reports whether all words of a query are in a text, how good that is, and the bytes at which what was found
// begins.
func Match(query, text string) (score int, at []int, ok bool) {
	points, ok := new(desk).rank(read(query), &shown{title: text})
	if ok {
		at = new(desk).found(read(query), text)
	}
	return int(points), at, ok
}
