@NullMarked
package io.sdds.cli;

import org.jspecify.annotations.NullMarked;
