/** One-shot requests on the calling thread, for commands that are over at once. */
@NullMarked
package io.sdds.cli.quick;

import org.jspecify.annotations.NullMarked;
