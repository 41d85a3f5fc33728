package feed

// Held returns how many followers and texts the feed holds.
func (f *Feed) Held() (followers, texts int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, of := range f.followers {
		followers += len(of)
	}
	for _, of := range f.texts {
		texts += len(of)
	}
	return followers, texts
}
