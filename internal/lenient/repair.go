package lenient

// mend mends a text that stands for what is between two bytes. Several values in a row become an
// array if they may.
func (s *search) mend(text string, start, end int, several bool) (Found, error) {
	m := &mender{text: text, limit: menderSteps * (len(text) + menderSteps)}
	value, err := m.mend(several)
	s.steps += m.steps
	if err != nil {
		return Found{}, err
	}
	out, err := canonical(value)
	if err != nil {
		return Found{}, err
	}
	return Found{JSON: out, Start: start, End: end, Repaired: true, Cut: m.cut}, nil
}

// mendRegion mends one region and keeps it if it is good.
func (s *search) mendRegion(r region, good func(reading) bool) (Found, bool) {
	m := &mender{text: s.text[r.start:r.end], limit: menderSteps * (r.end - r.start + menderSteps)}
	value, err := m.mend(false)
	s.steps += m.steps
	if err != nil {
		return Found{}, false
	}
	out, err := canonical(value)
	if err != nil {
		return Found{}, false
	}
	read := reading{json: out, value: value}
	if !good(read) {
		return Found{}, false
	}
	found := r.found(read)
	found.Cut = m.cut
	return found, true
}
