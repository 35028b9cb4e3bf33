/** The connection of a short command to a cluster. */
@NullMarked
package io.sdds.cli.connection;

import org.jspecify.annotations.NullMarked;
