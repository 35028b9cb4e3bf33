/** Requests on the calling thread, for short commands. */
@NullMarked
package io.sdds.cli.quick;

import org.jspecify.annotations.NullMarked;
