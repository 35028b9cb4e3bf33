/** Configuration files, and sizes and times in files and flags. */
@NullMarked
package io.sdds.cli.config;

import org.jspecify.annotations.NullMarked;
