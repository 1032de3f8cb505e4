"""The Go package by which code and tests with mutants in them ask which one is on, and note what is reached."""

from typing import Final

PACKAGE: Final = "zzverifylsp"
"""The name of its folder, below the module's own."""

ALIAS: Final = "zzVerifyLsp"
"""What texts with mutants in them call it."""

SOURCE: Final = """\
// Package zzverifylsp says which mutant is on while tests run, and notes which of them a test reaches.
package zzverifylsp

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

const size = 1 << 14

var (
	active, folder = asked()
	noting         = folder != ""
	sign           = os.Getenv("VERIFY_LSP_ASKED")
	top, within    = owner()
	mutex          sync.Mutex
	pending        strings.Builder
	awake          [size]uint32
)

func init() {
	if noting || sign != "" {
		wake()
	}
	if noting && sign != "" {
		mutex.Lock()
		add("0")
		flush()
		mutex.Unlock()
	}
}

func asked() (uint32, string) {
	number, _ := strconv.ParseUint(os.Getenv("VERIFY_LSP_MUTANT"), 10, 32)
	return uint32(number), os.Getenv("VERIFY_LSP_REACH")
}

// owner tells whose tests these are, and whether this process is theirs or one that they started.
func owner() (bool, string) {
	words := strings.SplitN(os.Getenv("VERIFY_LSP_TOP"), " ", 2)
	if len(words) < 2 {
		return false, ""
	}
	return words[0] == strconv.Itoa(os.Getpid()), words[1]
}

// On says whether a mutant is on, and notes that it was asked.
func On(number uint32) bool {
	return atomic.LoadUint32(&awake[number%size]) != 0 && note(number) || number == active
}

// Off says whether a mutant is not on.
func Off(number uint32) bool {
	return number != active
}

// Test notes the beginning and the end of a test.
func Test(t interface {
	Cleanup(func())
	Name() string
}) {
	if noting && top {
		name := t.Name()
		mark("+" + name)
		t.Cleanup(func() { mark("-" + name) })
	}
}

// Example notes the beginning of an example, and what it returns the end.
func Example(name string) func() {
	if !noting || !top {
		return func() {}
	}
	mark("+" + name)
	return func() { mark("-" + name) }
}

func mark(event string) {
	mutex.Lock()
	defer mutex.Unlock()
	add(event)
	wake()
}

// wake lets every number be noted once more, as other tests may reach it now.
func wake() {
	for at := range awake {
		atomic.StoreUint32(&awake[at], 1)
	}
}

// note writes a number once for each set of tests that may have reached it, and of the mutant that is on, that it was asked for.
func note(number uint32) bool {
	mutex.Lock()
	defer mutex.Unlock()
	atomic.StoreUint32(&awake[number%size], 0)
	// Go keeps what tests came to by the variables that they ask for, as far as they do so while they run.
	_ = os.Getenv("VERIFY_LSP_MUTANT")
	if noting {
		star := ""
		if !top || done() {
			star = "*"
		}
		add(star + strconv.FormatUint(uint64(number), 10))
		flush()
	} else if number == active {
		write(sign, "asked\\n")
	}
	return false
}

// done says whether this code runs once for all tests that need what comes of it.
func done() bool {
	var callers [256]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, "sync.(*Once).") {
			return true
		}
		if !more {
			return false
		}
	}
}

func add(event string) {
	pending.WriteString(within + "\\t" + event + "\\n")
}

func flush() {
	if write(filepath.Join(folder, strconv.Itoa(os.Getpid()%64)), pending.String()) {
		pending.Reset()
	}
}

func write(name, text string) bool {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0600)
	if err != nil {
		return false
	}
	_, _ = file.WriteString(text)
	_ = file.Close()
	return true
}
"""
