/** Configuration files into records, and the quantities in them and in flags. */
@NullMarked
package io.sdds.cli.config;

import org.jspecify.annotations.NullMarked;
