package lenient

// mendText mends a text; several values in a row become an array if they may.
func (s *search) mendText(text string, several bool) (read reading, cut bool, err error) {
	m := &mender{text: text, limit: menderSteps * (len(text) + menderSteps)}
	read.value, err = m.mend(several)
	s.steps += m.steps
	if err == nil {
		read.json, err = canonical(read.value)
	}
	return read, m.cut, err
}

// mend mends a text that stands for what is between two bytes.
func (s *search) mend(text string, start, end int, several bool) (Found, error) {
	read, cut, err := s.mendText(text, several)
	if err != nil {
		return Found{}, err
	}
	return Found{JSON: read.json, Start: start, End: end, Repaired: true, Cut: cut}, nil
}

// mendRegion mends one region and keeps it if it is good.
func (s *search) mendRegion(r region, good func(reading) bool) (Found, bool) {
	read, cut, err := s.mendText(s.text[r.start:r.end], false)
	if err != nil || !good(read) {
		return Found{}, false
	}
	found := r.found(read)
	found.Cut = cut
	return found, true
}
