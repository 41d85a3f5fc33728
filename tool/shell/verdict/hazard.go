package verdict

// Hazard says why a file is not read, or not written, without asking; empty: it may be. The name is absolute, or relative
// to the workspace.
func Hazard(name string, write bool) string { return hazardOf(name, write) }
