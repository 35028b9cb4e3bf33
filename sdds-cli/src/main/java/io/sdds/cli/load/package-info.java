/** Many records on their way into a table. */
@NullMarked
package io.sdds.cli.load;

import org.jspecify.annotations.NullMarked;
