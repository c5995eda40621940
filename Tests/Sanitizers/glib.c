// Tells ThreadSanitizer of the locks of GLib, by which the threads of libvips hand each other images and buffers;
// run.py loads it before the tests.
//
// GLib was built without the sanitizer, and its GMutex waits by calls of the kernel that the sanitizer does not see.
// What the lock guards then looks like a race. This program without one shows it:
//
//     #include <glib.h>
//     static GMutex mutex;
//     static int count;
//     static gpointer add(gpointer data)
//     {
//       for (int i = 0; i < 1000; i++) { g_mutex_lock(&mutex); count++; g_mutex_unlock(&mutex); }
//       return data;
//     }
//     int main(void)
//     {
//       GThread *other = g_thread_new("other", add, NULL);
//       add(NULL);
//       g_thread_join(other);
//     }
//
// Threads, GRecMutex and GRWLock are POSIX's below, which the sanitizer sees by itself.
#define _GNU_SOURCE
#include <dlfcn.h>

typedef void *pointer;

// Looks a function up once, because the locks are taken for every part of a picture.
static void *found(void **place, void *library, const char *name)
{
  void *function = __atomic_load_n(place, __ATOMIC_RELAXED);
  if (!function) __atomic_store_n(place, function = dlsym(library, name), __ATOMIC_RELAXED);
  return function;
}

static void *acquire_place, *release_place;

// What other threads did before they released an object has happened for this thread.
static void acquire(pointer object)
{
  void (*sanitizer)(void *) = found(&acquire_place, RTLD_DEFAULT, "__tsan_acquire");
  if (sanitizer) sanitizer(object);
}

static void release(pointer object)
{
  void (*sanitizer)(void *) = found(&release_place, RTLD_DEFAULT, "__tsan_release");
  if (sanitizer) sanitizer(object);
}

// GLib's own function of this name.
#define OWN(result, name, ...) \
  static void *name##_place; \
  result (*own)(__VA_ARGS__) = found(&name##_place, RTLD_NEXT, #name)

// Locks.

void g_mutex_lock(pointer mutex)
{
  OWN(void, g_mutex_lock, pointer);
  own(mutex);
  acquire(mutex);
}

int g_mutex_trylock(pointer mutex)
{
  OWN(int, g_mutex_trylock, pointer);
  int is_locked = own(mutex);
  if (is_locked) acquire(mutex);
  return is_locked;
}

void g_mutex_unlock(pointer mutex)
{
  OWN(void, g_mutex_unlock, pointer);
  release(mutex);
  own(mutex);
}

// Signals need no word: whoever waits for one has the lock before and after.

void g_cond_wait(pointer condition, pointer mutex)
{
  OWN(void, g_cond_wait, pointer, pointer);
  release(mutex);
  own(condition, mutex);
  acquire(mutex);
}

int g_cond_wait_until(pointer condition, pointer mutex, long long end)
{
  OWN(int, g_cond_wait_until, pointer, pointer, long long);
  release(mutex);
  int is_signaled = own(condition, mutex, end);
  acquire(mutex);
  return is_signaled;
}

// What is done once.

typedef struct { pointer (*function)(pointer); pointer argument, once; } Work;

static pointer work_and_release(pointer data)
{
  Work *work = data;
  pointer result = work->function(work->argument);
  release(work->once);
  return result;
}

pointer g_once_impl(pointer once, pointer (*function)(pointer), pointer argument)
{
  OWN(pointer, g_once_impl, pointer, pointer (*)(pointer), pointer);
  Work work = {function, argument, once};
  pointer result = own(once, work_and_release, &work);
  acquire(once);
  return result;
}

int g_once_init_enter(pointer place)
{
  OWN(int, g_once_init_enter, pointer);
  int is_first = own(place);
  acquire(place);
  return is_first;
}

void g_once_init_leave(pointer place, unsigned long value)
{
  OWN(void, g_once_init_leave, pointer, unsigned long);
  release(place);
  own(place, value);
}

// Objects: the thread that gives the last reference up frees what others used.

void g_object_unref(pointer object)
{
  OWN(void, g_object_unref, pointer);
  release(object);
  acquire(object);
  own(object);
}
