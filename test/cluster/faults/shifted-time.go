package time

import (
	"sync/atomic"
	"syscall"
)

var shiftSeconds atomic.Int64

// The runtime reads the time where no file can be read: this is done beside it, ten times a second.
func init() {
	name, isSet := syscall.Getenv("TEST_CLOCK_FILE")
	if !isSet {
		return
	}
	readShift(name)
	go func() {
		for {
			Sleep(100 * Millisecond)
			readShift(name)
		}
	}()
}

// shifted moves a time of day by the milliseconds that stand in the file.
func shifted(seconds int64) int64 {
	return seconds + shiftSeconds.Load()
}

func readShift(name string) {
	file, err := open(name)
	if err != nil {
		return
	}
	var text [32]byte
	count, _ := read(file, text[:])
	closefd(file)
	if count <= 0 {
		return
	}
	sign, value := int64(1), int64(0)
	for _, letter := range text[:count] {
		if letter == '-' {
			sign = -1
		} else if letter >= '0' && letter <= '9' {
			value = value*10 + int64(letter-'0')
		}
	}
	shiftSeconds.Store(sign * value / 1000)
}
