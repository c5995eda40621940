// The functions of libvips and of GLib that Safelight calls. Each is a jump to where safelight_open_vips() has found
// it: a program that links libvips loads it before its first line, which takes longer than all that `edit show` does.
// The linker names a function that is called and not listed here.

#if defined(__x86_64__)
.macro jump slot
  jmpq *\slot(%rip)
.endm
#elif defined(__aarch64__)
.macro jump slot
  adrp x16, \slot
  ldr x16, [x16, :lo12:\slot]
  br x16
.endm
#else
#error "Write the jump of this machine."
#endif

// A function, the place of its address, and its name for the linker of the system.
.macro function name
  .text
  .globl \name
  .hidden \name
  .type \name, %function
  .p2align 4
\name:
  jump .Laddress_of_\name
  .size \name, . - \name

  .section .data.safelight_vips, "aw", %progbits
.Laddress_of_\name:
  .quad safelight_vips_is_closed

  .section .rodata.safelight_vips, "a", %progbits
  .asciz "\name"
.endm

  .hidden safelight_vips_is_closed

  // The addresses have pages of their own, which are read-only once they are known.
  .section .data.safelight_vips, "aw", %progbits
  .p2align 16
  .globl safelight_vips_addresses
  .hidden safelight_vips_addresses
safelight_vips_addresses:
  .section .rodata.safelight_vips, "a", %progbits
  .globl safelight_vips_names
  .hidden safelight_vips_names
safelight_vips_names:

function g_free
function g_log_set_handler
function g_module_make_resident
function g_module_open
function g_object_get_property
function g_object_set_data_full
function g_object_set_property
function g_object_unref
function g_signal_connect_data
function g_strfreev
function g_type_check_instance_cast
function g_value_dup_object
function g_value_get_double
function g_value_init
function g_value_set_boolean
function g_value_set_double
function g_value_set_int
function g_value_set_object
function g_value_unset
function vips_area_unref
function vips_array_double_get_type
function vips_blob_get
function vips_blob_new
function vips_block_untrusted_set
function vips_cache_set_max
function vips_concurrency_get
function vips_concurrency_set
function vips_error_buffer_copy
function vips_error_clear
function vips_format_sizeof_unsafe
function vips_image_copy_memory
function vips_image_generate
function vips_image_get_bands
function vips_image_get_blob
function vips_image_get_coding
function vips_image_get_fields
function vips_image_get_format
function vips_image_get_height
function vips_image_get_int
function vips_image_get_interpretation
function vips_image_get_string
function vips_image_get_type
function vips_image_get_typeof
function vips_image_get_width
function vips_image_get_xoffset
function vips_image_get_xres
function vips_image_get_yoffset
function vips_image_get_yres
function vips_image_guess_interpretation
function vips_image_hasalpha
function vips_image_new
function vips_image_new_from_memory
function vips_image_new_from_memory_copy
function vips_image_pipeline_array
function vips_image_remove
function vips_image_set_blob_copy
function vips_image_set_kill
function vips_image_set_string
function vips_image_write_to_memory
function vips_init
function vips_object_build
function vips_object_get_type
function vips_object_set_argument_from_string
function vips_object_unref_outputs
function vips_operation_block_set
function vips_operation_new
function vips_region_new
function vips_region_prepare
function vips_source_get_type
function vips_source_new_from_blob
function vips_source_new_from_descriptor
function vips_target_custom_new
function vips_target_end
function vips_target_get_type
function vips_target_new_to_memory
function vips_target_write
function vips_thread_shutdown
function vips_type_find
function vips_value_set_array_double
function vips_version

  .section .data.safelight_vips, "aw", %progbits
  .p2align 16
  .globl safelight_vips_addresses_end
  .hidden safelight_vips_addresses_end
safelight_vips_addresses_end:
  .section .rodata.safelight_vips, "a", %progbits
  .byte 0
  .section .note.GNU-stack, "", %progbits
