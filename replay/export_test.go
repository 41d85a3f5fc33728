package replay

// Kept is how many places of logs are remembered, for all forks.
func (f *Forks) Kept() int {
	f.kept.mu.Lock()
	defer f.kept.mu.Unlock()
	return f.kept.total
}
