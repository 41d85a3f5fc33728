package files

// Real is where the folder is.
func (r *Root) Real() string { return r.real }
