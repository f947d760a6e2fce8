/*
 * Preloaded library that makes system calls fail, controlled by environment variables.
 *
 *   FAULT_OP     the call: open write fsync fdatasync rename close unlink
 *   FAULT_PATH   only files whose path contains this text; with a dollar at its end, ends with it
 *   FAULT_NTH    the first affected call, counted from 1 (default 1)
 *   FAULT_COUNT  number of affected calls; 0 for all later ones (default 1)
 *   FAULT_DO     error: fail with FAULT_ERRNO; short: write half of the bytes; lie: write half and report all; kill: SIGKILL before
 *                the call; delay: wait FAULT_MS milliseconds before the call
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static int seen;

static long number(const char *name, long fallback) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : fallback;
}

/* Returns whether a path contains a part, or ends with it if the part ends with a dollar sign. */
static int matches(const char *path, const char *part) {
    size_t length = strlen(part);
    if (length == 0 || part[length - 1] != '$') {
        return strstr(path, part) != NULL;
    }
    size_t whole = strlen(path);
    return whole >= length - 1 && strncmp(path + whole - (length - 1), part, length - 1) == 0;
}

static const char *action(const char *op, const char *path) {
    const char *wanted = getenv("FAULT_OP");
    const char *part = getenv("FAULT_PATH");
    if (!wanted || !part || !path || strcmp(wanted, op) != 0 || !matches(path, part)) {
        return "";
    }
    long nth = number("FAULT_NTH", 1);
    long count = number("FAULT_COUNT", 1);
    int now = __atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST);
    if (now < nth || (count && now >= nth + count)) {
        return "";
    }
    const char *what = getenv("FAULT_DO");
    what = what ? what : "error";
    if (strcmp(what, "kill") == 0) {
        kill(getpid(), SIGKILL);
        pause();
    }
    if (strcmp(what, "delay") == 0) {
        long ms = number("FAULT_MS", 1000);
        struct timespec wait = {ms / 1000, (ms % 1000) * 1000000};
        nanosleep(&wait, NULL);
        return "";
    }
    return what;
}

static const char *on_fd(const char *op, int fd) {
    char link[64], path[4096];
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = before;
    if (length < 0) {
        return "";
    }
    path[length] = 0;
    return action(op, path);
}

static int fails(const char *what) {
    if (strcmp(what, "error") != 0) {
        return 0;
    }
    errno = (int) number("FAULT_ERRNO", EIO);
    return 1;
}

#define REAL(name) ((__typeof__(name) *) dlsym(RTLD_NEXT, #name))

static int opened(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    return fails(action("open", path)) ? -1 : real(path, flags, mode);
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        return opened(REAL(name), path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

ssize_t write(int fd, const void *bytes, size_t count) {
    const char *what = on_fd("write", fd);
    if (fails(what)) {
        return -1;
    }
    int half = strcmp(what, "short") == 0 || strcmp(what, "lie") == 0;
    ssize_t done = REAL(write)(fd, bytes, half && count > 1 ? count / 2 : count);
    return done >= 0 && strcmp(what, "lie") == 0 ? (ssize_t) count : done;
}

static ssize_t placed(ssize_t (*real)(int, const void *, size_t, off64_t), int fd, const void *bytes, size_t count,
        off64_t at) {
    const char *what = on_fd("write", fd);
    if (fails(what)) {
        return -1;
    }
    int half = strcmp(what, "short") == 0 || strcmp(what, "lie") == 0;
    ssize_t done = real(fd, bytes, half && count > 1 ? count / 2 : count, at);
    return done >= 0 && strcmp(what, "lie") == 0 ? (ssize_t) count : done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    return placed(REAL(pwrite64), fd, bytes, count, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    return placed((ssize_t(*)(int, const void *, size_t, off64_t)) REAL(pwrite), fd, bytes, count, at);
}

int fsync(int fd) {
    return fails(on_fd("fsync", fd)) ? -1 : REAL(fsync)(fd);
}

int fdatasync(int fd) {
    return fails(on_fd("fdatasync", fd)) ? -1 : REAL(fdatasync)(fd);
}

int rename(const char *from, const char *to) {
    return fails(action("rename", to)) ? -1 : REAL(rename)(from, to);
}

int unlink(const char *path) {
    return fails(action("unlink", path)) ? -1 : REAL(unlink)(path);
}

int close(int fd) {
    const char *what = on_fd("close", fd);
    int closed = REAL(close)(fd);
    return fails(what) ? -1 : closed;
}
