package guard

import "rein"

// endOfPast returns where the messages of earlier runs end that begin at from.
func endOfPast(messages []rein.Message, from int) int {
	to := from
	for to < len(messages) && messages[to].Past != nil {
		to++
	}
	return to
}

// cutPast folds the oldest runs of messages[from:past], which are of earlier runs. The newest of them
// stay as they are, as many as there is room for.
func cutPast(messages []rein.Message, from, past int, c rein.Compact, info rein.ModelInfo) (Cutting, bool) {
	room, most := keepPast, len(messages)
	own := sizeOf(messages[:from]) + sizeOf(messages[past:])
	if info.Window > 0 {
		room = min(room, (int(c.Share*float64(4*info.Window))-own)/2)
	}
	if spokenIn(messages) > c.Messages {
		most = c.Keep - spokenIn(messages[past:])
	}
	cutting := Cutting{From: from, To: past}
	for cutting.To > from {
		begin := beginOfRun(messages, from, cutting.To)
		room -= sizeOf(messages[begin:cutting.To])
		most -= cutting.To - begin
		if room < 0 || most < 0 || messages[begin].Past.Run == "" {
			break
		}
		cutting.To = begin
	}
	for _, m := range messages[from:cutting.To] {
		if m.Past.Run == "" {
			cutting.Base = m.Past.Fold
		} else if n := len(cutting.Runs); n == 0 || cutting.Runs[n-1] != m.Past.Run {
			cutting.Runs = append(cutting.Runs, m.Past.Run)
		}
	}
	return cutting, len(cutting.Runs) > 0
}

// beginOfRun returns where the run begins whose last message is before end.
func beginOfRun(messages []rein.Message, from, end int) int {
	begin := end - 1
	for begin > from && *messages[begin-1].Past == *messages[begin].Past {
		begin--
	}
	return begin
}

// maxPin is how much of a pinned message a prompt shows in which a summary stands for the messages
// around it. The summary tells of the rest.
const maxPin = 24_000

// Folded returns the messages with the summary in place of messages[from:to], of which those that are
// pinned stay. pins says which are, in their order.
func Folded(messages []rein.Message, pins []int, from, to int, summary rein.Message) []rein.Message {
	folded := make([]rein.Message, 0, from+1+len(pins)+len(messages)-to)
	folded = append(append(folded, messages[:from]...), summary)
	for _, at := range pins {
		if at >= from && at < to {
			m := messages[at]
			m.Text, m.Pinned = Clip(m.Text, maxPin), true
			folded = append(folded, m)
		}
	}
	begin := len(folded)
	folded = append(folded, messages[to:]...)
	for _, at := range pins {
		if at >= to {
			folded[begin+at-to].Pinned = true
		}
	}
	return folded
}

// PinnedIn counts the pins from..to.
func PinnedIn(pins []int, from, to int) int {
	n := 0
	for _, at := range pins {
		if at >= from && at < to {
			n++
		}
	}
	return n
}
