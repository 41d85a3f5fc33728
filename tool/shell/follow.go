package shell

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rein"
)

// lookEvery is how often a source that is followed is looked at.
const lookEvery = 150 * time.Millisecond

// A following is a source that is followed.
type following struct {
	source
	only    sieve // without its pattern
	until   sieve // the pattern
	say     func(string)
	clean   func(string) string
	at      int64
	half    string
	lines   []string
	seen    int
	matched bool
}

// follow waits for new lines until one matches, the time is over, or nothing more comes.
func follow(ctx context.Context, inv rein.Invocation, from source, only sieve, args monitorArgs, clean func(string) string) (rein.Done, error) {
	f := following{source: from, clean: clean, only: only, until: sieve{pattern: only.pattern}, say: inv.Say, at: from.start()}
	f.only.pattern = nil
	if args.Offset != nil {
		f.at = *args.Offset
	}
	timer, ticker := time.NewTimer(time.Duration(args.Seconds)*time.Second), time.NewTicker(lookEvery)
	defer timer.Stop()
	defer ticker.Stop()
	why := ""
	for why == "" {
		over, err := f.look(ctx, args.Lines)
		switch {
		case err != nil:
			return rein.Done{}, err
		case f.matched:
			why = "A line matched."
		case over:
			why = "Nothing more comes."
		default:
			select {
			case <-ctx.Done():
				return rein.Done{}, ctx.Err()
			case <-timer.C:
				why = fmt.Sprintf("No line matched in %d seconds.", args.Seconds)
				if only.pattern == nil {
					why = fmt.Sprintf("Followed for %d seconds.", args.Seconds)
				}
			case <-ticker.C:
			}
		}
	}
	if _, ok := from.(journalSource); ok {
		return result(from, strings.Join(f.lines, "\n")+"\n["+why+"]", Monitored{Lines: len(f.lines), Of: f.seen, Matched: f.matched})
	}
	next := f.at - int64(len(f.half))
	return result(from, fmt.Sprintf("%s\n[%s Continue with offset %d.]", strings.Join(f.lines, "\n"), why, next), Monitored{Lines: len(f.lines), Of: f.seen, Matched: f.matched, Next: &next})
}

// look takes what is new.
func (f *following) look(ctx context.Context, most int) (over bool, err error) {
	text, at, over, err := f.next(ctx, f.at)
	if err != nil {
		return false, err
	}
	if at < f.at { // it was cut or replaced
		f.half = ""
	}
	f.half, f.at = f.half+text, at
	for {
		end := strings.IndexByte(f.half, '\n')
		if end < 0 && over && f.half != "" {
			end = len(f.half) - 1
		}
		if end < 0 || f.matched {
			return over, nil
		}
		f.take(linesOf(f.half[:end+1], f.clean), most)
		f.half = f.half[end+1:]
	}
}

func (f *following) take(lines []string, most int) {
	for _, line := range lines {
		f.seen++
		if !f.only.keeps(line) {
			continue
		}
		f.lines = last(append(f.lines, line), most)
		if f.say != nil {
			f.say(line + "\n")
		}
		f.matched = f.until.pattern != nil && f.until.keeps(line)
	}
}
