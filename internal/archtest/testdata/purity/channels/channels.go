package channels

func flow(in <-chan int) int { // want chan
	out := make(chan int, 1) // want chan
	out <- 1                 // want chan
	close(out)               // want chan
	for range out {          // want chan
	}
	select { // want chan
	case n := <-in: // want chan
		return n
	default:
	}
	return <-in // want chan
}

var _ = flow
