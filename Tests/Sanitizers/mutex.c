// Tells ThreadSanitizer of the locks of Swift's Mutex that had to wait; run.py loads it before the tests.
//
// Mutex takes and gives a lock that nobody else wants by an atomic operation in the code of the caller, which
// ThreadSanitizer sees. Otherwise it waits in the library of the toolchain, which was built without the sanitizer,
// and what the lock guards then looks like a race. This program without one shows it, after some tries:
//
//     import Dispatch
//     import Synchronization
//     final class Box: Sendable { let numbers = Mutex<[Int]>([]) }
//     let box = Box()
//     DispatchQueue.concurrentPerform(iterations: 1000) { number in box.numbers.withLock { $0.append(number) } }
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Synchronization._MutexHandle._lockSlow(UInt32) and _unlockSlow(), as the compiler of Swift 6.3 calls them.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void tell(const char *name, void *mutex)
{
  void (*sanitizer)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, name);
  if (sanitizer) sanitizer(mutex);
}

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void lock_slowly(uint32_t thread, SELF void *mutex)
{
  SWIFT void (*own)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
  own(thread, mutex);
  tell("__tsan_acquire", mutex);
}

SWIFT void unlock_slowly(SELF void *mutex) __asm__(UNLOCK);
SWIFT void unlock_slowly(SELF void *mutex)
{
  SWIFT void (*own)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
  tell("__tsan_release", mutex);
  own(mutex);
}
