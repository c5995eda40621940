#ifndef SAFELIGHT_CTURBOJPEG_SHIM_H
#define SAFELIGHT_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>

#endif
