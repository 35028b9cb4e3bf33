/** Loads many records into a table. */
@NullMarked
package io.sdds.cli.load;

import org.jspecify.annotations.NullMarked;
