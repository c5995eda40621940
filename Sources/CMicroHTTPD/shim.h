#ifndef SAFELIGHT_CMICROHTTPD_SHIM_H
#define SAFELIGHT_CMICROHTTPD_SHIM_H

// socklen_t and the like, before the library's own header.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <microhttpd.h>

// What Swift cannot see of libmicrohttpd: variadics, and macros that are casts.

// Leaves an address as the client wrote it: `%2F` and `/` are not the same in it.
static inline size_t safelight_keep_escapes(void *nothing, struct MHD_Connection *connection, char *text) {
  (void)nothing, (void)connection;
  return strlen(text);
}

// The library's messages are for people who debug it.
static inline void safelight_ignore_message(void *nothing, const char *format, va_list values) {
  (void)nothing, (void)format, (void)values;
}

// What a server does with its connections.
struct safelight_handlers {
  void *context;
  void *(*begin)(void *context, const char *address, struct MHD_Connection *connection);
  MHD_AccessHandlerCallback handle;
  MHD_RequestCompletedCallback complete;
  MHD_NotifyConnectionCallback connected;
};

// Starts to answer on a socket that listens; NULL when that fails.
static inline struct MHD_Daemon *safelight_start_server(int socket, unsigned threads, unsigned connections,
                                                        size_t memory, unsigned seconds,
                                                        const struct safelight_handlers *handlers) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL,
      handlers->handle, handlers->context, MHD_OPTION_EXTERNAL_LOGGER, safelight_ignore_message, NULL,
      MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_THREAD_POOL_SIZE, threads,
      MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
      MHD_OPTION_CONNECTION_TIMEOUT, seconds, MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_UNESCAPE_CALLBACK, safelight_keep_escapes, NULL,
      MHD_OPTION_URI_LOG_CALLBACK, handlers->begin, handlers->context,
      MHD_OPTION_NOTIFY_COMPLETED, handlers->complete, handlers->context,
      MHD_OPTION_NOTIFY_CONNECTION, handlers->connected, handlers->context, MHD_OPTION_END);
}

// The socket of a connection.
static inline int safelight_socket_of(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

// Enumerations, whose cases Swift gives other names.
static const enum MHD_Result safelight_go_on = MHD_YES;
static const enum MHD_Result safelight_give_up = MHD_NO;
static const enum MHD_ValueKind safelight_header_fields = MHD_HEADER_KIND;
static inline int safelight_has_begun(enum MHD_ConnectionNotificationCode moment) {
  return moment == MHD_CONNECTION_NOTIFY_STARTED;
}

// The end of a stream, and the size of one whose end is not known.
static const ssize_t safelight_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const uint64_t safelight_unknown_size = MHD_SIZE_UNKNOWN;

#endif
